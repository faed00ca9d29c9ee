/** The rules that hold documents against the project: tables, drawings, links and promises. */
package org.terrace.distribution.rules.documents;
