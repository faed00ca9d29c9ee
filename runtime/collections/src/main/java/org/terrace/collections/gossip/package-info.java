/**
 * Anti-entropy as a pure state machine: comparison, repair, state transfer, retirement and
 * departure.
 */
package org.terrace.collections.gossip;
