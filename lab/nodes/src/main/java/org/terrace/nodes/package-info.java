/** Starts, watches and ends the processes of a trial. */
package org.terrace.nodes;
