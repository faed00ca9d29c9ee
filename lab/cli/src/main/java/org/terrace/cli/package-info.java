/** The terrace command. */
package org.terrace.cli;
