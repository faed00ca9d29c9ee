/** The connections to one server, and those among them that fall silent. */
package org.terrace.cluster.server.connection;
