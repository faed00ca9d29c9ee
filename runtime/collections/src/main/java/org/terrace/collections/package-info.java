/**
 * Collections whose every replica holds a full copy: soft state that survives its replicas.
 *
 * <p>Start with {@link org.terrace.collections.ReplicatedCollections#open}. How the packages fit,
 * from below: {@code causality} says which updates came before which; {@code state} holds entries,
 * applies updates and joins states, and is where convergence comes from; {@code gossip} is
 * anti-entropy as a pure state machine; {@code replica} sends, acknowledges and receives; this one
 * has the collections themselves, given its steps, writes and view. {@code replication} has the
 * terms that they share with users.
 */
package org.terrace.collections;
