/** Reads what servers use and when their JVMs pause. */
package org.terrace.nodes.monitor;
