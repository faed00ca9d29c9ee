/**
 * The state of one replica: live entries, the log of recent updates, and their joining and
 * checkpoints.
 */
package org.terrace.collections.state;
