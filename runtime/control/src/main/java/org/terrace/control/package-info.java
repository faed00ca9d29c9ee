/** References to services and styles of replication: the things clients and managers agree on. */
package org.terrace.control;
