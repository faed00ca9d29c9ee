/** Manifests for Kubernetes of the servers that an experiment deploys. */
package org.terrace.cli.kubernetes;
