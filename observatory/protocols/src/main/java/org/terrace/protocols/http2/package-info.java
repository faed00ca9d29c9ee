/** HTTP/2 and gRPC: frames and compressed headers to requests. */
package org.terrace.protocols.http2;
