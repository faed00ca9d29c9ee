/**
 * The fault detector: which replicas are alive, which have crashed and which hang, from their
 * connections and heartbeats.
 */
package org.terrace.control.detector;
