/** TLS 1.2 and 1.3, decrypted where the keys of a connection are known. */
package org.terrace.protocols.tls;
