/** The network of a trial's namespaces. */
package org.terrace.hosts.network;
