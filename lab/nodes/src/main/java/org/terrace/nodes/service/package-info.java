/** Replicated services, as their replication managers tell of them. */
package org.terrace.nodes.service;
