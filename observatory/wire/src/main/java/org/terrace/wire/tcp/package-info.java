/** TCP connections: both directions of each put back in order. */
package org.terrace.wire.tcp;
