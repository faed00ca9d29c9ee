/** A client: stubs, the choice of replicas, and fail-over. */
package org.terrace.invocation.client;
