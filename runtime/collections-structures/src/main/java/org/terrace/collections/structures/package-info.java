/**
 * The data structures under replicated collections that know neither replicas nor a network:
 * positions in a list, tickets of a queue, sets of sequence numbers, sketches of sets, clocks.
 */
package org.terrace.collections.structures;
