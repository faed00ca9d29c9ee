/** The default transport: bounded binary frames over blocking sockets. */
package org.terrace.middleware.terrace;
