/** A program's own model, for the tests with the libraries of plain programs. */
package org.terrace.cluster.jdbc.programs;
