/** The details behind findings: callers of servers, and the packets and requests of stalls. */
package org.terrace.details;
