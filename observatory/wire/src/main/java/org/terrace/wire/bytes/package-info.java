/** Numbers, searches and hashes over ranges of bytes. */
package org.terrace.wire.bytes;
