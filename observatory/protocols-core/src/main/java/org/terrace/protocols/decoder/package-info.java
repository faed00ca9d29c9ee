/** Protocols: ordered bytes to requests and their classes. */
package org.terrace.protocols.decoder;
