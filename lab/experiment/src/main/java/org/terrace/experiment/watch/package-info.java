/**
 * Readers of servers in a trial: of what they print, of when the kernel holds them back, and of
 * what a visitor sees.
 */
package org.terrace.experiment.watch;
