/** The files that a host is given, by their digests. */
package org.terrace.hosts.files;
