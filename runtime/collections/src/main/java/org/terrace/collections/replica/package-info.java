/** One replica at work: its lock, its own updates, their acknowledgement and sending again. */
package org.terrace.collections.replica;
