/** Capture files: pcap and pcapng as records in time order. */
package org.terrace.wire.file;
