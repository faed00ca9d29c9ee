/** Text in the bytes of connections, and the memory that may be taken for what is cut. */
@org.jspecify.annotations.NullMarked
package org.terrace.protocols.text;
