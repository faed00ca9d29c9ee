/**
 * The copy of all that a database server has of its users to another server, streamed from one
 * consistent snapshot, with no more rights than the owner of the tables has.
 */
package org.terrace.cluster.server.copy;
