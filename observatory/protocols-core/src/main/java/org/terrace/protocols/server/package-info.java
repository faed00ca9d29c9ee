/** The servers behind the connections: names, tiers and traffic. */
package org.terrace.protocols.server;
