/** The rules about tests: which may run again, which are left out, and whether all are run. */
package org.terrace.distribution.rules.testing;
