/**
 * The terms of replication: how many replicas hold an update ({@link
 * org.terrace.collections.replication.WriteLevel}), what tells that they do, and why entries
 * change.
 */
package org.terrace.collections.replication;
