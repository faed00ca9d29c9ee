/** Middlewares, which carry calls between a client and a replica, behind one interface. */
package org.terrace.middleware;
