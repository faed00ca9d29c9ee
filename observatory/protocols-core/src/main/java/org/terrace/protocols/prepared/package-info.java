/** Prepared statements by their names, and what tells of those that were prepared out of sight. */
package org.terrace.protocols.prepared;
