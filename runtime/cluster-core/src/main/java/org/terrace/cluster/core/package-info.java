/**
 * The decisions of a clustered database, as pure state machines: whose writes go first, what
 * replicas answered alike, who is taken out, when a client is answered.
 *
 * <p>Nothing here knows a clock, a thread, a socket or JDBC. The same code runs over real servers
 * and under the simulator.
 */
package org.terrace.cluster.core;
