/** The common parts of database servers on this machine: account, cache, commands. */
package org.terrace.databases;
