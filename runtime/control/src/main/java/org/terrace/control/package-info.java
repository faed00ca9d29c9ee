/** Where a service is, and how its replicas share the work: what clients and managers agree on. */
package org.terrace.control;
