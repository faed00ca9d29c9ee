/** What database servers of this machine have in common: account, cache, commands. */
package org.terrace.databases;
