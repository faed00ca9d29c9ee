/**
 * The requests of a clustered database to a server, in that server's own words, with what they
 * leave behind, and its schema.
 */
package org.terrace.cluster.server.dialect;
