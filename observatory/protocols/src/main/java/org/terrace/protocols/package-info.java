/** Captures to requests: the decoders on the conversations of captures, and their servers. */
package org.terrace.protocols;
