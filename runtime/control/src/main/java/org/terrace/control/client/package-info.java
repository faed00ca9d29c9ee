/** The client of replication managers, for the tools of people and for tests. */
package org.terrace.control.client;
