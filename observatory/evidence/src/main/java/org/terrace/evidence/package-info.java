/** Reads what JVMs and databases write of themselves into events. */
package org.terrace.evidence;
