"""The command line: commands, live view, tables, plots and exports."""
