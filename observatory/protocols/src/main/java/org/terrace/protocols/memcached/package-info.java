/** Memcached's text protocol, from lines and values to requests. */
package org.terrace.protocols.memcached;
