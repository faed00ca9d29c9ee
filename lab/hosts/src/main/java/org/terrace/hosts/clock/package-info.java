/** The distance between a host's clock and this machine's. */
package org.terrace.hosts.clock;
