/**
 * Collections whose every replica holds a full copy: soft state that survives its replicas.
 *
 * <p>Start with {@link org.terrace.collections.ReplicatedCollections#open}. How the pieces fit: a
 * {@code Store} holds the live entries of one collection; {@code ReplicaState} applies updates and
 * joins states, and is where convergence comes from; {@code Replica} sends, acknowledges and
 * receives; {@code AntiEntropy} and {@code StateTransfer} repair what got lost.
 */
package org.terrace.collections;
