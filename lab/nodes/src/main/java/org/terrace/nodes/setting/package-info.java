/**
 * The settings of the servers of an experiment: what they may use, what plays them, and which of
 * their metrics are read.
 */
package org.terrace.nodes.setting;
