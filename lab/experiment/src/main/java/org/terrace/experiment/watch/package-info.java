/**
 * What is read of servers while a trial runs: what they print, and when the kernel holds them back.
 */
package org.terrace.experiment.watch;
