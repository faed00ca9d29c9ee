/**
 * A PostgreSQL server as a process of a trial or a test: its programs come from Maven Central, its
 * data from a template that is made once a machine, and it never runs as root.
 */
package org.terrace.databases.postgres;
