/** A connection to a server that knows which of its calls waits for the server. */
package org.terrace.cluster.server.connection;
