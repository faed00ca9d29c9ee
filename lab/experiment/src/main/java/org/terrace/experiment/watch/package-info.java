/** Readers of servers in a trial: of what they print, and of when the kernel holds them back. */
package org.terrace.experiment.watch;
