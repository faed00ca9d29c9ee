/** The web tier: a reverse proxy with load balancing, health checks and fail-over. */
package org.terrace.proxy;
