/** Protocols of messages with a length and an id, by which answers find their requests. */
package org.terrace.protocols.correlated;
