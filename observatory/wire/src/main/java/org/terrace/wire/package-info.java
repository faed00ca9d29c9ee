/** Packets to requests: capture, packet files, reassembly and protocol decoders. */
package org.terrace.wire;
